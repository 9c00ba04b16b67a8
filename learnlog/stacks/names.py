"""What was found in a project's files, as the names of a stack: what is well known apart from the rest. Reads nothing."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.stacks.packages import Table


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LANGUAGES = _words(
    "python javascript typescript rust go ruby java kotlin scala groovy php elixir erlang csharp fsharp swift dart cpp c cuda"
    " fortran objective-c haskell ocaml clojure zig julia"
)
WELL_KNOWN = _words(
    # the web
    "django flask fastapi starlette sanic tornado aiohttp falcon bottle quart litestar pyramid streamlit gradio dash wagtail"
    " react preact react-native vue svelte angular ember solid-js nuxt remix astro gatsby vite webpack rollup esbuild parcel"
    " express fastify koa hapi electron expo redux zustand mobx tailwindcss bootstrap storybook three d3 rxjs zod lodash axios"
    " rails sinatra hanami sidekiq puma devise rack laravel symfony slim livewire phoenix ecto absinthe oban plug"
    " turbo spring quarkus micronaut dropwizard ktor vertx lombok hibernate android uvicorn gunicorn requests httpx"
    " axum actix-web rocket warp tokio hyper tonic tower serde tauri bevy leptos reqwest diesel gin echo fiber chi gorm vapor"
    " flutter bloc riverpod provider aspnetcore blazor jquery websockets socket.io trpc openapi stripe twilio"
    # data
    " sqlalchemy alembic pydantic pymysql psycopg psycopg2 asyncpg sqlmodel peewee celery dramatiq rq airflow prefect dagster"
    " prisma drizzle-orm typeorm sequelize mongoose knex sqlx doctrine dapper bullmq"
    " postgresql mysql mariadb sqlite mongodb redis valkey memcached elasticsearch opensearch cassandra clickhouse duckdb neo4j"
    " kafka rabbitmq nats pulsar weaviate chromadb numpy pandas polars scipy matplotlib pyspark dask ray jupyter plotly seaborn"
    " pytorch tensorflow keras jax scikit-learn xgboost lightgbm transformers langchain langgraph openai anthropic onnx opencv"
    " spacy nltk mcp graphql grpc protobuf"
    # where it runs
    " docker kubernetes helm terraform pulumi aws gcp azure cloudflare firebase supabase vercel nginx traefik vault consul"
    " opentelemetry prometheus grafana sentry datadog minio"
    # what it is worked on with
    " pytest hypothesis tox nox mypy pyright ruff black flake8 pylint isort poetry uv pdm pre-commit sphinx mkdocs"
    " jest vitest mocha cypress playwright puppeteer eslint prettier biome npm pnpm yarn bun deno"
    " rspec minitest capybara rubocop phpunit pest phpstan junit mockito testcontainers credo"
    " criterion proptest testify xunit nunit selenium qt boost opencv gtest catch2 click typer rich clap cobra"
    " msgspec xxhash portalocker"
)
"""Names that say a technology whatever ecosystem a package of that name is of."""
_TOO_GENERAL = _words(
    "api app client cli common config core driver framework helpers http json lib library log logger main runtime sdk server"
    " service shared src test tests tools types util utils"
)
_FIT = re.compile(r"[a-z0-9][a-z0-9.+_-]{0,63}")


class Found:
    """What the files of one project say. `for_development`: what they need now is needed for work on the project alone."""

    def __init__(self) -> None:
        self.for_development = False
        self._languages: dict[str, None] = {}
        self._known: dict[str, None] = {}
        self._tools: dict[str, None] = {}
        self._others: dict[str, None] = {}

    def says(self, names: str) -> None:
        """Languages and tools by their own names, with spaces between them."""
        for name in names.split():
            (self._languages if name in LANGUAGES else self._tools)[name] = None

    def uses(self, table: Table, package: str, own: str, *, runtime: bool = True) -> None:
        """A direct dependency, `own` its name without what its ecosystem puts around it ("" when that is not telling).

        What the project needs when it runs also counts under that name; what only its developers need, where it is well known.
        """
        runtime = runtime and not self.for_development
        names = table.names(package)
        told = names or ()
        if own in WELL_KNOWN and names != ():
            told = (own, *told)
        for name in told:
            (self._languages if name in LANGUAGES else self._known if runtime else self._tools)[name] = None
        stands_for_it = told and ("/" in package or ":" in package)  # spring says more than spring-boot-starter-web
        if not runtime or names == () or stands_for_it or own in _TOO_GENERAL:
            return
        if _FIT.fullmatch(own):  # a file of others: what does not look like a name goes nowhere
            self._others[own] = None

    def has_tool(self, table: Table, package: str) -> None:
        """Something the project is worked on with, when it is well known."""
        self.uses(table, package, package, runtime=False)

    def stack(self) -> tuple[str, ...]:
        """Languages, what is well known of what it runs on, then of what it is worked on with, then the rest; each as found."""
        return tuple({**self._languages, **self._known, **self._tools, **self._others})
