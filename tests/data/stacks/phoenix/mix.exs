defmodule Hello.MixProject do
  use Mix.Project

  def project do
    [app: :hello, version: "0.1.0", elixir: "~> 1.14", deps: deps()]
  end

  defp deps do
    [
      {:phoenix, "~> 1.7.12"},
      {:ecto_sql, "~> 3.10"},
      {:postgrex, ">= 0.0.0"},
      {:shared, in_umbrella: true},
      {:finch, "~> 0.13"}, # {:redix, "~> 1.0"}
      {:credo, "~> 1.7", only: [:dev, :test], runtime: false},
      {:floki, ">= 0.30.0", only: :test}
    ]
  end

  defp result, do: {:ok, value()}
end
