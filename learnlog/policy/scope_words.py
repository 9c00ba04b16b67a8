"""The words by which `policy.classify` tells what a learning is about: names of technology, words of method; data only.

English, and names as they are written everywhere. What a project calls its own comes from the project and is not here.
"""

from __future__ import annotations

from learnlog.stacks.names import LANGUAGES, WELL_KNOWN
from learnlog.stemming import stem


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    found = (pair.split("-") for pair in text.split())
    return frozenset((one, other) for one, other in found)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_TOOLS = _words(
    # what code is kept, built and shipped with
    "git mercurial subversion svn bazel cmake ninja gradle maven ant sbt leiningen pip pipx pipenv conda mamba virtualenv venv"
    " setuptools hatch hatchling flit twine wheel pypi npx nvm corepack lerna nx pnpx cargo rustup rustc rustfmt clippy gofmt"
    " golangci-lint goreleaser bundler rubygems rbenv composer nuget msbuild dotnet homebrew brew apt apt-get dpkg yum dnf rpm"
    " pacman apk nix nixos snap flatpak asdf mise direnv docker-compose dockerfile buildkit buildx podman containerd runc"
    " buildah kaniko skopeo compose k8s kubectl kustomize argocd"
    " argo flux istio linkerd envoy haproxy caddy apache httpd varnish"
    " jenkins circleci travis buildkite teamcity codecov sonarqube dependabot renovate ansible chef vagrant packer opentofu"
    " cloudformation serverless lambda ec2 s3 ecs eks fargate dynamodb sqs sns iam cloudfront route53 cloudwatch bigquery"
    " gke cloudrun pubsub firestore heroku netlify fly.io digitalocean ngrok tailscale wireguard openvpn"
    # systems and shells
    " linux macos windows ubuntu debian alpine fedora centos rhel"
    " android ios ipados wsl wsl2 posix unix bash zsh fish powershell"
    " coreutils busybox sed awk gawk grep ripgrep xargs rsync curl wget ssh sshd scp openssh gpg openssl systemd systemctl"
    " journald cron crontab launchd iptables nftables tmux vim neovim"
    " emacs vscode intellij pycharm xcode cocoapods jq yq tar gzip"
    " zstd ffmpeg imagemagick pandoc latex glibc musl llvm clang gcc gdb lldb valgrind strace perf ebpf ext4 xfs btrfs zfs nfs"
    " chrome chromium firefox safari webkit v8 jvm openjdk graalvm cpython pypy node nodejs node.js next.js nextjs nestjs wasm"
    # libraries that every ecosystem has met
    " asyncio multiprocessing dataclasses zoneinfo subprocess itertools functools argparse sqlite3 pathlib tempfile contextlib"
    " unittest datetime urllib urllib3 collections.abc concurrent.futures importlib ctypes configparser pickle jinja jinja2"
    " markupsafe werkzeug itsdangerous boto3 botocore s3fs paramiko fabric cryptography bcrypt argon2 passlib pyjwt python-jose"
    " weasyprint reportlab openpyxl xlsxwriter lxml beautifulsoup bs4 scrapy pillow tzdata pytz dateutil arrow pendulum"
    " babel gettext structlog loguru tenacity cachetools orjson ujson simplejson pyyaml tomli tomllib attrs cattrs marshmallow"
    " cerberus mypyc cython numba pybind11 cffi pyo3 maturin"
    " ipython anyio trio gevent greenlet eventlet hypercorn daphne uvloop"
    " httptools responses respx vcrpy freezegun factory-boy"
    " factory_boy faker pytest-asyncio pytest-xdist xdist pytest-cov coverage.py"
    " pytest-django mock monkeypatch mypy_extensions pyproject aiosqlite aioredis aiomysql mysqlclient mysql-connector oracledb"
    " pyodbc tortoise-orm pony sqlglot alembic liquibase flyway pgbouncer pgvector postgis timescaledb cockroachdb vitess"
    " proxysql innodb psql pg_dump mysqldump sqlcipher leveldb rocksdb lmdb etcd zookeeper couchdb couchbase dynamo influxdb"
    " solr lucene meilisearch algolia typesense zeromq mqtt websocket socketio webrtc tsc tsx ts-node tsup swc babel terser"
    " postcss sass webpacker sprockets importmap turbolinks stimulus hotwire htmx alpinejs jsdom enzyme msw nock supertest"
    " react-query tanstack react-router nextauth formik yup ajv joi dayjs moment luxon date-fns immer recoil jotai apollo urql"
    " relay webgl threejs chartjs winston pino morgan helmet passport nodemon pm2 dotenv commander yargs inquirer"
    " serde_json anyhow thiserror rayon crossbeam nom bincode tracing-subscriber gorilla logrus goroutine goroutines pprof"
    " jackson gson slf4j log4j logback junit5 assertj wiremock netty kotlinx coroutines retrofit okhttp dagger hilt gatling"
    " activerecord actioncable nokogiri faraday resque eloquent artisan twig blade composer.json entity-framework linq xaml wpf"
    " maui swiftui uikit combine coredata jetpack langgraph llamaindex ollama huggingface tokenizers cudnn triton mlflow wandb"
    " locust k6 jmeter artillery testcafe appium detox robotframework behave cucumber gherkin jaeger zipkin newrelic splunk"
    " logstash kibana fluentd loki tempo pagerduty auth0 keycloak okta cognito oauth oauth2 oidc saml jwt jwks stripe paypal"
    " sendgrid mailgun twilio shopify wordpress drupal magento strapi contentful unity unreal godot opengl vulkan arduino"
    " postgres mongo elastic sklearn huey spacy protobufs avro parquet iceberg dbt snowflake redshift databricks hadoop hive"
    " presto trino flink superset metabase"
)
"""Names of technology beside `stacks.names.WELL_KNOWN`."""
AMBIGUOUS = _words(
    "ant arrow artillery astro babel behave biome black blade bloc boost bootstrap bottle c caddy canvas chef click combine"
    " commander compose credo criterion crystal cucumber dagger dapper dart dash devise doctrine echo elastic ember express"
    " fabric falcon fiber fish flux gin go gorilla hive hyper hypothesis iceberg immer iris lambda lit make mock moment next"
    " nom parcel passport perf phoenix pickle pillow plug pony presto provider pyramid quart rack ray react relay remix"
    " requests responses rich rocket safari serverless slim snap snowflake solid spring stimulus stripe swift tar tempo tide"
    " tower trio turbo twig unity vapor vault warp wheel windows three r chi nock pest rq ecto triton bazel winston puma"
    " tornado mercurial composer consul packer terser maven gatling apollo argo flask hatch linear teams notion"
)
"""Names that are words too, and one letter: they count where they are written as a name."""
TECHNOLOGY = LANGUAGES | WELL_KNOWN | _TOOLS
ALWAYS_NAMES = TECHNOLOGY - AMBIGUOUS
FIRST_NAMES = _words(
    "go rust express spring black click windows swift bootstrap pillow pickle chef flask vault phoenix react composer consul"
    " tornado puma argo maven lambda apollo stripe dart ecto bazel packer safari unity snowflake ember astro biome remix"
)
"""Of these, those that are a name as the first word of a title too, when what comes next would not follow a verb or a noun."""
AFTER_WORDS = _words(
    "a an the your our their it its this that these those them to for of on in at by with without from through over up down"
    " out off back ahead slow slowly and or as is are was were before after until against"
)
WORK_TOOLS = _words(
    "slack zoom confluence jira notion trello asana miro figma linear basecamp mattermost discord teams github gitlab"
    " bitbucket excel powerpoint outlook gmail kanban"
)
"""Where people work together: named in passing more often than not."""
TERMS = _words(
    "http https http2 http/2 http/3 tcp udp tls ssl dns ipv4 ipv6 cors csrf csp html html5 css svg json json5 jsonl yaml toml"
    " xml csv regex regexp utf-8 utf8 utf-16 unicode ascii base64 sql ddl cte graphql rest grpc soap smtp imap ftp sftp"
    " sigterm sigkill sigint sighup sigchld sigpipe stdin stdout stderr fork mutex semaphore epoll inode fsync mmap syscall"
    " cgroup cgroups chmod entrypoint shebang crlf localstorage sessionstorage indexeddb cookie cookies samesite etag dom ajax"
    " iframe flexbox viewport simd gpu cpu float64 float32 int32 int64 decimal nan ieee uuid uuidv7 ulid sha256 sha-256 md5"
    " hmac aes rsa pem x509 dataclass dataclasses async await coroutine coroutines generator generators closure closures"
    " decorator decorators lambda iterator iterators garbage-collector gil pep pep8 semver"
)
"""Words of protocols, formats, languages and systems: they say technology without naming one."""
EVERYBODYS_FILES = _words(
    "settings.py urls.py models.py views.py admin.py forms.py serializers.py app.py app.js server.js layout.tsx page.tsx"
    " readme.md readme license changelog.md contributing.md security.md makefile dockerfile docker-compose.yml"
    " docker-compose.yaml docker-compose.override.yml compose.yml compose.yaml"
    " .dockerignore .gitignore .gitattributes .editorconfig"
    " .env .env.example .npmrc .nvmrc .envrc .pre-commit-config.yaml .gitlab-ci.yml .travis.yml .eslintrc .eslintrc.js"
    " .eslintrc.json .prettierrc .babelrc pyproject.toml setup.py setup.cfg tox.ini pytest.ini mypy.ini ruff.toml noxfile.py"
    " conftest.py __init__.py __main__.py manage.py wsgi.py asgi.py requirements.txt requirements-dev.txt pipfile poetry.lock"
    " uv.lock alembic.ini env.py package.json package-lock.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml tsconfig.json"
    " jsconfig.json deno.json vite.config.ts vite.config.js vitest.config.ts webpack.config.js rollup.config.js jest.config.js"
    " jest.config.ts babel.config.js next.config.js next.config.mjs nuxt.config.ts tailwind.config.js tailwind.config.ts"
    " postcss.config.js eslint.config.js playwright.config.ts turbo.json nx.json lerna.json index.html index.js index.ts"
    " index.tsx cargo.toml cargo.lock build.rs main.rs lib.rs mod.rs rustfmt.toml clippy.toml go.mod go.sum main.go gemfile"
    " gemfile.lock rakefile config.ru schema.rb routes.rb pom.xml build.gradle build.gradle.kts settings.gradle"
    " gradle.properties gradlew application.yml application.properties androidmanifest.xml info.plist podfile package.swift"
    " composer.json composer.lock artisan mix.exs mix.lock cmakelists.txt procfile jenkinsfile vagrantfile justfile chart.yaml"
    " values.yaml wrangler.toml vercel.json netlify.toml claude.md agents.md skill.md codeowners schema.prisma py.typed"
    " nginx.conf web.config appsettings.json program.cs pubspec.yaml"
)
"""Names that files have in any project of their kind, in lower case: such a name alone says nothing about whose file it is."""
EVERYBODYS_FOLDERS = (".github/workflows", ".git/", ".venv/", "node_modules/", "site-packages/", "src/main/", "src/test/")
EVERYBODYS_TABLES = _words(
    "alembic_version schema_migrations ar_internal_metadata django_migrations flyway_schema_history databasechangelog"
    " databasechangeloglock _prisma_migrations knex_migrations knex_migrations_lock goose_db_version __efmigrationshistory"
    " spatial_ref_sys sqlite_master sqlite_sequence pg_stat_statements failed_jobs django_session django_content_type"
)
"""Tables that a tool makes in every database it works on."""
NO_NAMES = _words(
    "api app apps application backend client code core data demo dev docs example frontend home lib library main new old"
    " package project repo server service site source src test tests tmp tool tools ui user web website work workspace"
)
"""What folders of projects are called that would be no name in a sentence."""

PRACTICE = _stems(
    "review reviewer retrospective retro postmortem premortem meeting standup handover handoff onboarding colleague coworker"
    " teammate team stakeholder estimate estimation deadline sprint backlog milestone criteria requirement specification plan"
    " planning roadmap refactor refactoring rewrite commit changelog documentation checklist incident outage blame feedback"
    " decision alternative assumption tradeoff trade-off compromise lesson habit ownership newcomer mentor interview knowledge"
    " priority rollback prototype spike experiment postpone communicate communication agreement agree collaborate"
    " collaboration workshop brainstorm timebox pairing mobbing tdd bdd kickoff rfc adr note notes expectation escalate"
    " escalation hypothesis stakeholders manager people person human reader audience author maintainer junior senior expert"
    " discipline routine ritual agenda discussion debate consensus misunderstanding silence question reason rationale"
    " root-cause debt workaround iteration increment mvp"
    " bikeshedding scope-creep holiday vacation conversation explanation promise"
    " trust blameless demo joiner interruption approval credit praise craft intuition guess opinion perfection culture morale"
    " burnout fatigue hero heroics bystander consent empathy patience curiosity discovery rehearsal drill briefing"
)
"""Stems: how people work, whatever with."""
PRACTICE_PAIRS = frozenset(
    (stem(one), stem(other))
    for one, other in _pairs(
        "pull-request merge-request root-cause code-review failing-test failing-case flaky-test dead-code bus-factor happy-path"
        " edge-case best-practice test-first small-steps next-step open-question technical-debt first-draft work-log"
        " working-day error-message big-bang feature-branch bug-report user-story design-document quick-win second-opinion"
        " fresh-eyes"
    )
)
"""Stems of two words that say it together."""
WORK = _stems(
    "test release code change step bug feature migration refactor design problem idea naming name doc abstraction complexity"
    " duplication ticket task branch merge deploy deployment user customer work fix failure error mistake risk goal history"
    " shortcut simplicity solution option criterion draft summary example evidence measurement metric dependency title pr diff"
    " experiment version effort progress attempt session context agent prompt message"
)
"""Stems: what is worked on. They say method only beside something else that does."""
ADVICE = _words(
    "admit agree appoint ask assign brainstorm challenge coach consult convince debate doubt draft encourage justify praise"
    " celebrate clarify communicate decide define delegate demo describe discuss distrust document escalate estimate explain"
    " invite involve know learn limit listen measure mentor name negotiate own pair plan practise practice prefer prioritise"
    " prioritize prototype prove question read record rehearse reproduce resist respect retrospect review say share show"
    " simplify sketch slice slow speak split state stop summarise summarize talk teach tell think timebox thank treat trust"
    " understand validate verify visualise welcome write worry automate optimise optimize refactor finish postpone"
)
"""Verbs that tell people what to do, as the first word of a title."""
ORDERS = _words(
    "add allow assume avoid be begin break build bring call change check choose clean close collect commit compare confirm"
    " consider copy cut delete deliver deploy design do draw end expect fail find fix focus follow get give go handle have"
    " hold investigate isolate keep leave let list look make merge move never always don't note open pick play put raise"
    " release remove rename repeat replace report resolve revert revisit run save schedule search see separate set ship solve"
    " spend start start take test time track try turn update use wait walk watch work"
)
"""The same, and as much to do with this or that program."""
GENERALLY = _words(
    "before after first instead rather than every each always never better worse best worst cheaper faster easier harder"
    " worth should one without until once early late again together alone small big long short somebody someone nobody anyone"
    " everybody everyone both more earlier later sooner beats beat costs nothing everything twice most"
)
"""Words of rules of thumb."""
OPENS_GENERALLY = _words(
    "a an one every each no most many few small big large good bad short long early late people nobody two if when what"
    " whoever anyone everyone"
)
OPENS_NARROWLY = _words("the that this these those it its there they he she our my some somebody someone yesterday today")
SUPERLATIVES = _words(
    "best worst first last next fastest slowest smallest biggest cheapest hardest easiest simplest person one"
)
"""After "the", a general statement."""
RULES_OF_THUMB = _words(
    "should better worse beats beat worth cheaper costs cost nobody everybody everyone anyone deserves pays"
)
"""Of these, those that weigh one way of working against another, or speak of everybody."""
IN_PASSING = _words("whether like regardless")
WHATEVER = _words("anything whatever whichever anywhere")
"""In a sentence with one of these, all that is named is an example."""
AFTER_EVERY = _words("every each a any")
TIMES = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february april june july august september october"
    " november december yesterday tomorrow"
)
OURS = _words("our ours")
HERE = _words("project repo repository codebase app application service product monorepo company team's client customer")
"""After "this" or "our": where we are."""
PLACES = _words("staging preprod uat")
HERE_PAIRS = _pairs("build-host build-server build-machine jump-host office-network staging-database production-database")
"""Things that are there once, and that no library has."""
WE_DECIDED = _words(
    "use used chose choose pin pinned keep kept run deploy have picked decided moved switched disabled replaced"
)
CLAUSE = _words("when if before after once until while")
METHOD_CATEGORIES = ("process", "collaboration", "workflows")

# Where names of tables stand

AROUND_INDEX = _words("ix idx index fk pk uq uk pkey fkey seq trg tbl")
"""Around a table's name in the name of its index or constraint."""
BEFORE_TABLE = _words("table tables join relation")
AFTER_TABLE = _words("table tables row rows column columns schema pk partition partitions")
PARTS_OF_TABLE = _words("column columns row rows index field fields key constraint trigger partition")
OF_DATABASE = _words(
    "deadlock deadlocks foreign primary composite unique key keys constraint constraints join joins column columns row rows"
    " index indexes cascade cascades transaction transactions query queries insert update delete select partition trigger null"
)
HAVE = _words("has have needs need lacks lack holds hold uses use keeps")
EXTENSIONS = _words(
    "csv json jsonl md txt py js ts rb go rs sql yml yaml toml xml html css tsx jsx vue php java com org io net"
)
"""After a point these are no columns."""
