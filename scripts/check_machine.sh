#!/bin/sh
# Says in plain sentences what this machine lacks. Prints the Python to use as its only line of output.
#   scripts/check_machine.sh          Python and Java
#   scripts/check_machine.sh python   Python alone
# PYTHON names the interpreter to use; JAVA_HOME the Java, as Spark itself reads it.
set -u

complain() {
    printf '%s\n' "$@" >&2
}

how_to_get_python() {
    complain \
        "  Debian, Ubuntu:  sudo apt-get install python3 python3-venv" \
        "                   (where python3 is too old or too new: python3.12 python3.12-venv, or pyenv)" \
        "  macOS:           brew install python@3.13" \
        "  Windows:         run 'wsl --install', then follow Debian, Ubuntu inside it" \
        "  Already there under another name?  make PYTHON=/path/to/python3.12 setup"
}

how_to_get_java() {
    complain \
        "  Debian, Ubuntu:  sudo apt-get install openjdk-17-jre-headless   (or openjdk-21-jre-headless)" \
        "  macOS:           brew install openjdk@17" \
        "                   export JAVA_HOME=\$(brew --prefix openjdk@17)/libexec/openjdk.jdk/Contents/Home" \
        "  Windows:         run 'wsl --install', then follow Debian, Ubuntu inside it" \
        "  Already there elsewhere?  export JAVA_HOME=/path/to/java"
}

# Runs the interpreter: a shim or a macOS stub of that name may exist without a Python behind it.
# dbt 1.11 and Spark 4.0 are made for Python 3.10 to 3.13.
fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

version_of() {
    "$1" -c 'import platform; print(platform.python_version())' 2>/dev/null
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        fits "$PYTHON" && { echo "$PYTHON"; return 0; }
        complain "PYTHON=$PYTHON is not a Python 3.11, 3.12 or 3.13 (it is: $(version_of "$PYTHON" || echo 'nothing that runs')). Use one of these:"
        how_to_get_python
        return 1
    fi
    for candidate in python3.13 python3.12 python3.11 python3; do
        fits "$candidate" && { echo "$candidate"; return 0; }
    done
    found=$(version_of python3) || found=none
    complain "Python 3.11, 3.12 or 3.13 is needed (python3 here: $found). To get one:"
    how_to_get_python
    return 1
}

# Debian and Ubuntu ship Python without the modules that make a virtual environment.
check_venv() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1 && return 0
    short=$("$1" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    complain "$1 cannot make a virtual environment: its venv module is missing. To get it:" \
        "  Debian, Ubuntu:  sudo apt-get install $short-venv" \
        "  elsewhere:       install a complete $short"
    return 1
}

check_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        java="$JAVA_HOME/bin/java"
        place="under JAVA_HOME ($JAVA_HOME)"
    else
        java=java
        place="on the PATH"
    fi
    if ! shown=$("$java" -version 2>&1); then
        complain "Java 17 or 21 is needed, and none runs $place. To get one:"
        how_to_get_java
        return 1
    fi
    # Java 8 calls itself 1.8.
    major=$(printf '%s\n' "$shown" | sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' | head -n 1)
    if [ "${major:-0}" -lt 17 ] || [ "$major" -gt 21 ]; then
        complain "Java 17 or 21 is needed, the one $place is ${major:-of an unknown version}. Spark 4.0 runs on no older and no newer one. To get it:"
        how_to_get_java
        return 1
    fi
}

missing=0
if python=$(find_python); then
    check_venv "$python" || missing=1
else
    missing=1
fi
if [ "${1:-all}" != python ]; then
    check_java || missing=1
fi
[ "$missing" -eq 0 ] || exit 1
echo "$python"
