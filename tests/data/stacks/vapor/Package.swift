// swift-tools-version:5.10
import PackageDescription

let package = Package(
    name: "todos",
    dependencies: [
        .package(url: "https://github.com/vapor/vapor.git", from: "4.99.3"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.65.0"),
        // .package(url: "https://github.com/acme/old.git", from: "1.0.0"),
    ]
)
