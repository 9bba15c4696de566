// SPDX-License-Identifier: Apache-2.0

// For Gradle and Android Studio. The project's own checks do not run Gradle: Tests/Clients/kotlin.py calls the compiler.
plugins {
    kotlin("multiplatform") version "2.3.0"
}

group = "laurel"
version = "0.3.0"

repositories {
    mavenCentral()
}

kotlin {
    jvm()
    iosArm64()
    iosSimulatorArm64()

    sourceSets {
        commonMain.dependencies {
            implementation("org.jetbrains.kotlinx:kotlinx-coroutines-core:1.10.2")
        }
    }
}
