plugins {
    kotlin("jvm") version "2.0.0"
    alias(libs.plugins.shadow)
}

repositories { mavenCentral() }

dependencies {
    implementation("io.ktor:ktor-server-core:2.3.11")
    implementation(project(":shared"))
    implementation(platform("com.amazonaws:aws-java-sdk-bom:1.12.0"))
    implementation(libs.postgresql)
    // implementation("com.mysql:mysql-connector-j:8.4.0")
    api("com.acme:money-math:1.0")
    testImplementation("org.junit.jupiter:junit-jupiter:5.10.2")
    testImplementation("com.acme:fixtures:1.0")
}
