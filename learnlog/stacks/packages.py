"""Which packages of an ecosystem speak of a technology: tables, one line a technology. Knows no file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NOTHING = "-"
"""The row of packages that say nothing of a stack."""


class Table:
    """Technologies by the packages of one ecosystem; a `*` at an end of a package's name stands for whatever goes there.

    >>> Table({"react": "react-dom next", "nextjs": "next @next/*", NOTHING: "@types/*"}).names("next")
    ('react', 'nextjs')
    """

    def __init__(self, rows: Mapping[str, str]) -> None:
        self._whole: dict[str, list[str]] = {}
        self._parts: list[tuple[str, str, str]] = []
        for name, packages in rows.items():
            for package in packages.split():
                before, star, after = package.partition("*")
                if star:
                    self._parts.append((before, after, name))
                else:
                    self._whole.setdefault(package, []).append(name)

    def names(self, package: str) -> tuple[str, ...] | None:
        """What a package is called: () when it says nothing of a stack, None when it is not known here."""
        found = dict.fromkeys(self._whole.get(package, ()))
        found |= {name: None for start, end, name in self._parts if package.startswith(start) and package.endswith(end)}
        return tuple(name for name in found if name != NOTHING) if found else None


PYTHON = Table(
    {
        "psycopg2": "psycopg2-binary",
        "psycopg": "psycopg2 psycopg2-binary psycopg-binary psycopg-pool",
        "postgresql": "psycopg psycopg2 psycopg2-binary psycopg-binary psycopg-pool asyncpg pg8000",
        "mysql": "pymysql mysqlclient mysql-connector-python aiomysql asyncmy",
        "mongodb": "pymongo motor mongoengine beanie",
        "sqlite": "aiosqlite sqlite-utils",
        "redis": "django-redis hiredis",
        "django": "django-* djangorestframework*",
        "django-rest-framework": "djangorestframework*",
        "flask": "flask-*",
        "fastapi": "fastapi-*",
        "sqlalchemy": "sqlmodel alembic sqlalchemy-* flask-sqlalchemy",
        "airflow": "apache-airflow*",
        "dbt": "dbt-*",
        "pytorch": "torch torchvision torchaudio pytorch-lightning",
        "jax": "jaxlib",
        "tensorflow": "tensorflow-*",
        "huggingface": "transformers datasets huggingface-hub accelerate",
        "langchain": "langchain-* langgraph",
        "llamaindex": "llama-index*",
        "opencv": "opencv-*",
        "spark": "pyspark",
        "jupyter": "jupyterlab notebook ipykernel",
        "aws": "boto3 botocore aioboto3 aws-cdk*",
        "gcp": "google-cloud-*",
        "azure": "azure-*",
        "grpc": "grpcio*",
        "graphql": "strawberry-graphql graphene*",
        "kafka": "confluent-kafka kafka-python aiokafka",
        "rabbitmq": "pika aio-pika",
        "elasticsearch": "elasticsearch-*",
        "sentry": "sentry-sdk",
        "opentelemetry": "opentelemetry-*",
        "prometheus": "prometheus-client",
        "pydantic": "pydantic-*",
        "qdrant": "qdrant-client",
        "clickhouse": "clickhouse-*",
        "qt": "pyqt* pyside*",
        "pytest": "pytest-*",
        "sphinx": "sphinx-*",
        "mkdocs": "mkdocs-*",
        NOTHING: "types-* setuptools wheel pip mypy-extensions",
    }
)
NPM = Table(
    {
        "typescript": "typescript ts-node tsx @typescript-eslint/*",
        "nodejs": "@types/node express fastify @fastify/* koa @nestjs/* @hapi/hapi nodemon ts-node",
        "nextjs": "next @next/*",
        "react-native": "expo",
        "react": "next gatsby react-* @remix-run/* @reduxjs/* @tanstack/react-* @mui/* @react-* expo",
        "vue": "nuxt vue-* @vue/*",
        "nuxt": "@nuxt/*",
        "angular": "@angular/*",
        "nestjs": "@nestjs/*",
        "sveltekit": "@sveltejs/kit",
        "svelte": "@sveltejs/*",
        "remix": "@remix-run/*",
        "fastify": "@fastify/*",
        "hapi": "@hapi/*",
        "redux": "@reduxjs/* react-redux",
        "tanstack": "@tanstack/*",
        "testing-library": "@testing-library/*",
        "trpc": "@trpc/*",
        "graphql": "graphql-* @apollo/* apollo-server*",
        "apollo": "@apollo/* apollo-server*",
        "prisma": "@prisma/*",
        "postgresql": "pg postgres",
        "mysql": "mysql2",
        "sqlite": "better-sqlite3 sqlite3",
        "mongodb": "mongoose",
        "redis": "ioredis @redis/* bullmq",
        "kafka": "kafkajs",
        "rabbitmq": "amqplib",
        "aws": "@aws-sdk/* aws-sdk aws-cdk*",
        "gcp": "@google-cloud/*",
        "azure": "@azure/*",
        "firebase": "firebase-*",
        "supabase": "@supabase/*",
        "sentry": "@sentry/*",
        "opentelemetry": "@opentelemetry/*",
        "grpc": "@grpc/*",
        "mui": "@mui/*",
        "babel": "@babel/* babel-*",
        "eslint": "eslint-* @eslint/* @typescript-eslint/*",
        "storybook": "@storybook/*",
        "playwright": "@playwright/*",
        "vite": "vite-* @vitejs/*",
        "vitest": "@vitest/*",
        "jest": "ts-jest jest-* @jest/*",
        "tailwindcss": "@tailwindcss/* tailwindcss-*",
        "astro": "@astrojs/*",
        "mcp": "@modelcontextprotocol/*",
        "anthropic": "@anthropic-ai/*",
        "langchain": "@langchain/*",
        "electron": "electron-*",
        "biome": "@biomejs/*",
        "cloudflare": "@cloudflare/* wrangler",
        "protobuf": "@bufbuild/* protobufjs",
        NOTHING: "@types/*",
    }
)
CARGO = Table(
    {
        "tokio": "tokio-*",
        "postgresql": "tokio-postgres",
        "actix-web": "actix-*",
        "axum": "axum-*",
        "serde": "serde-*",
        "sqlite": "rusqlite",
        "kafka": "rdkafka",
        "protobuf": "prost*",
        "aws": "aws-*",
        "tracing": "tracing-*",
        "wasm": "wasm-bindgen*",
        "leptos": "leptos-*",
        "bevy": "bevy-*",
        "diesel": "diesel-*",
        "kubernetes": "kube k8s-openapi",
        "graphql": "async-graphql* juniper",
        "opentelemetry": "opentelemetry-*",
    }
)
GO = Table(
    {
        "gin": "github.com/gin-gonic/*",
        "echo": "github.com/labstack/echo*",
        "fiber": "github.com/gofiber/*",
        "chi": "github.com/go-chi/*",
        "cobra": "github.com/spf13/cobra*",
        "gorm": "gorm.io/*",
        "pgx": "github.com/jackc/pgx*",
        "postgresql": "github.com/jackc/* github.com/lib/pq gorm.io/driver/postgres*",
        "mysql": "github.com/go-sql-driver/mysql* gorm.io/driver/mysql*",
        "sqlite": "github.com/mattn/go-sqlite3* modernc.org/sqlite* gorm.io/driver/sqlite*",
        "mongodb": "go.mongodb.org/*",
        "redis": "github.com/redis/* github.com/go-redis/*",
        "grpc": "google.golang.org/grpc*",
        "protobuf": "google.golang.org/protobuf*",
        "kubernetes": "k8s.io/* sigs.k8s.io/*",
        "aws": "github.com/aws/*",
        "gcp": "cloud.google.com/*",
        "azure": "github.com/azure/*",
        "kafka": "github.com/segmentio/kafka-go* github.com/ibm/sarama*",
        "nats": "github.com/nats-io/*",
        "testify": "github.com/stretchr/testify*",
        "opentelemetry": "go.opentelemetry.io/*",
        "prometheus": "github.com/prometheus/*",
        "terraform": "github.com/hashicorp/terraform-plugin*",
        "graphql": "github.com/99designs/gqlgen*",
        "docker": "github.com/docker/*",
        NOTHING: "golang.org/x/*",
    }
)
RUBY = Table(
    {
        "rails": "railties activerecord activesupport actionpack *-rails",
        "hotwire": "turbo-rails stimulus-rails",
        "postgresql": "pg",
        "mysql": "mysql2",
        "sqlite": "sqlite3",
        "mongodb": "mongoid",
        "rspec": "rspec-*",
        "rubocop": "rubocop-*",
        "sidekiq": "sidekiq-*",
        "sentry": "sentry-*",
        "aws": "aws-sdk*",
        "graphql": "graphql-*",
    }
)
MAVEN = Table(
    {
        # group:artifact, a plugin's id, or a name in Gradle's version catalogue
        "kotlin": "org.jetbrains.kotlin* kotlin*",
        "scala": "org.scala-lang*",
        "groovy": "org.codehaus.groovy* org.apache.groovy*",
        "spring": "org.springframework* spring-*",
        "spring-boot": "org.springframework.boot* spring-boot*",
        "quarkus": "io.quarkus* quarkus*",
        "micronaut": "io.micronaut* micronaut*",
        "ktor": "io.ktor* ktor*",
        "vertx": "io.vertx* vertx*",
        "android": "com.android* androidx* android*",
        "compose": "androidx.compose* androidx-compose*",
        "hibernate": "org.hibernate* hibernate*",
        "jpa": "jakarta.persistence* *-data-jpa",
        "junit": "org.junit* junit*",
        "mockito": "org.mockito* mockito*",
        "testcontainers": "org.testcontainers* testcontainers*",
        "postgresql": "org.postgresql* postgresql*",
        "mysql": "com.mysql* mysql*",
        "sqlite": "org.xerial:sqlite*",
        "h2": "com.h2database*",
        "kafka": "org.apache.kafka* org.springframework.kafka* kafka*",
        "rabbitmq": "com.rabbitmq*",
        "redis": "redis.clients* io.lettuce*",
        "mongodb": "org.mongodb*",
        "elasticsearch": "org.elasticsearch* co.elastic.clients*",
        "lombok": "org.projectlombok*",
        "jackson": "com.fasterxml.jackson*",
        "guava": "com.google.guava*",
        "grpc": "io.grpc* grpc*",
        "protobuf": "com.google.protobuf* protobuf*",
        "spark": "org.apache.spark*",
        "aws": "software.amazon.awssdk* com.amazonaws*",
        "gcp": "com.google.cloud*",
        "azure": "com.azure*",
        "flyway": "org.flywaydb* flyway*",
        "liquibase": "org.liquibase* liquibase*",
        "opentelemetry": "io.opentelemetry*",
        NOTHING: "org.slf4j* *-bom",
    }
)
COMPOSER = Table(
    {
        "laravel": "laravel/* illuminate/* filament/*",
        "symfony": "symfony/*",
        "doctrine": "doctrine/*",
        "phpunit": "phpunit/*",
        "pest": "pestphp/*",
        "phpstan": "phpstan/* larastan/*",
        "livewire": "livewire/*",
        "guzzle": "guzzlehttp/*",
        "slim": "slim/*",
        "redis": "predis/* ext-redis",
        "mongodb": "mongodb/* ext-mongodb",
        "postgresql": "ext-pgsql ext-pdo_pgsql",
        "mysql": "ext-mysqli ext-pdo_mysql",
        "drupal": "drupal/*",
        "aws": "aws/*",
        "sentry": "sentry/*",
        NOTHING: "php hhvm ext-* lib-* composer* psr/*",
    }
)
MIX = Table(
    {
        "phoenix": "phoenix-*",
        "ecto": "ecto-*",
        "postgresql": "postgrex",
        "mysql": "myxql",
        "redis": "redix",
        "absinthe": "absinthe-*",
        "graphql": "absinthe*",
        "aws": "ex-aws*",
    }
)
DOTNET = Table(
    {
        "dotnet": "microsoft.net.sdk*",
        "aspnetcore": "microsoft.net.sdk.web microsoft.aspnetcore*",
        "blazor": "microsoft.net.sdk.blazorwebassembly microsoft.aspnetcore.components*",
        "entity-framework": "microsoft.entityframeworkcore* *.entityframeworkcore.postgresql",
        "maui": "microsoft.maui*",
        "avalonia": "avalonia*",
        "postgresql": "npgsql*",
        "mysql": "mysqlconnector pomelo.*",
        "redis": "stackexchange.redis",
        "mongodb": "mongodb.*",
        "kafka": "confluent.kafka",
        "xunit": "xunit*",
        "nunit": "nunit*",
        "mstest": "mstest*",
        "grpc": "grpc*",
        "protobuf": "google.protobuf",
        "aws": "awssdk*",
        "azure": "azure.*",
        NOTHING: "microsoft.* system.*",
    }
)
DART = Table({"flutter": "flutter-*", "firebase": "firebase-*", "bloc": "flutter-bloc", "riverpod": "*riverpod"})
SWIFT = Table({"protobuf": "swift-protobuf", "grpc": "grpc-swift*", "postgresql": "postgres-nio", "redis": "redistack"})
CMAKE = Table(
    {"qt": "qt5* qt6*", "gtest": "googletest", "eigen": "eigen3", "cuda": "cudatoolkit", NOTHING: "threads git pkgconfig"}
)
IMAGES = Table(
    {
        "postgresql": "postgres postgis pgvector timescaledb*",
        "mongodb": "mongo",
        "redis": "redis-stack*",
        "kafka": "cp-kafka",
        "aws": "localstack",
        "clickhouse": "clickhouse-server",
        "sqlserver": "mssql-server",
    }
)
PROVIDERS = Table({"gcp": "google google-beta", "azure": "azurerm azuread"})
