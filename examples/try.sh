#!/bin/sh
# The main job on real input: `make try`, or `sh examples/try.sh BIN_DIR` with the folder that holds the learnlog command.
# It works in a temporary folder and leaves nothing behind; it fails when what is known is not what was put in.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?usage: try.sh BIN_DIR}" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$bin:$PATH
LEARNLOG_HOME=$folder/home
export PATH LEARNLOG_HOME
unset LEARNLOG_LOG LEARNLOG_ACTOR LEARNLOG_SESSION || :
mkdir "$folder/project"
cd "$folder/project"

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

count() {
    learnlog search --count
}

expect() {
    if [ "$1" != "$2" ]; then
        echo "try: expected $2 active learnings, there are $1" >&2
        exit 1
    fi
}

run learnlog init
run learnlog import "$here/learnings.jsonl"
imported=$(count)
if [ "$imported" -lt 1 ]; then
    echo "try: nothing was imported" >&2
    exit 1
fi

printf '\n$ four processes, each: learnlog add … (25 times)\n'
writers=
for writer in 1 2 3 4; do
    (
        for number in $(seq 25); do
            learnlog add "process $writer found thing $number" --tag "process-$writer" --by "agent:writer-$writer" >/dev/null
        done
    ) &
    writers="$writers $!"
done
for writer in $writers; do
    wait "$writer"
done
expect "$(count)" $((imported + 100))
echo "100 recorded, none lost"

first=$(learnlog search "process 1 found thing 1" --tag process-1 --limit 1 | cut -d ' ' -f 1)
run learnlog reclassify "$first" --severity critical --category anti-pattern --by human:you
second=$(learnlog search --tag process-2 --limit 1 | cut -d ' ' -f 1)
run learnlog delete "$second"
expect "$(count)" $((imported + 99))

run learnlog search --limit 8
run learnlog history "$first"
run learnlog stats
run learnlog doctor
printf '\nAll is as it should be.\n'
