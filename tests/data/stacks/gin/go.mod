module github.com/acme/orders

go 1.22

require github.com/gin-gonic/gin v1.10.0

require (
	github.com/jackc/pgx/v5 v5.5.5
	gopkg.in/yaml.v3 v3.0.1 // yes
	golang.org/x/sync v0.7.0
	github.com/acme/widgets v0.2.0
	github.com/redis/go-redis/v9 v9.5.1 // indirect
)

replace github.com/acme/widgets => ../widgets
