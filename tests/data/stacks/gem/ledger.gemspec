Gem::Specification.new do |spec|
  spec.name = "ledger"
  spec.add_dependency "sinatra", ">= 4"
  spec.add_development_dependency("minitest")
end
