#!/usr/bin/env bash
# Runs the steps of the Dockerfile where there is no Docker: as root, in a Debian that debootstrap makes in FOLDER.
# Then the page is served from it as the user upscore, and the health check is asked. Usage: tools/docker/try.sh FOLDER [PORT]
set -euo pipefail
# what is mounted below is gone with this process
[ "${UPSCORE_TRY:-}" ] || UPSCORE_TRY=1 exec unshare --mount "$0" "$@"
folder=$1 port=${2:-8000}
cd "$(dirname "$(readlink -f "$0")")/../.."
[ -d "$folder/base" ] || debootstrap --variant=minbase bookworm "$folder/base"

# inside COMMAND...: runs it in the present stage; pip trusts whom this computer trusts, as a proxy may sit in between
inside() {
    chroot "$folder/$stage" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive PIP_CERT=/tmp/trusted.crt "$@"
}

stage=
while IFS= read -r line; do
    rest=${line#* }
    case $line in
    FROM*)
        stage=stage$((${stage#stage} + 1))
        rm -rf "${folder:?}/$stage"
        cp -a "$folder/base" "$folder/$stage"
        # this computer's way to the network, which Docker gives its containers too
        cp /etc/resolv.conf /etc/hosts "$folder/$stage/etc/"
        cp /etc/ssl/certs/ca-certificates.crt "$folder/$stage/tmp/trusted.crt"
        mount --bind /proc "$folder/$stage/proc"
        ;;
    RUN*) inside sh -euc "$rest" ;;
    "COPY . "*)
        mkdir -p "$folder/$stage${rest#. }"
        mapfile -t kept < <(sed -n 's/^!//p' tools/docker/Dockerfile.dockerignore)
        git archive HEAD "${kept[@]}" | tar --extract --directory "$folder/$stage${rest#. }"
        ;;
    "COPY --from=build "*) cp -a "$folder/stage1${rest##* }" "$folder/$stage${rest##* }" ;;
    USER*) user=$rest ;;
    *"CMD ["*) check=${line##*CMD } ;;
    ENTRYPOINT*) entry=$rest ;;
    esac
done < <(sed -e '/^#/d' -e ':a' -e '/\\$/{N;s/\\\n//;ba}' tools/docker/Dockerfile)

echo "$(du --one-file-system -sm "$folder/$stage" | cut -f1) MB, of which $(du -sm "$folder/base" | cut -f1) are the base" >&2
python3 - "$folder/$stage" "$user" "$entry" "$check" "$port" <<'PYTHON'
import json, subprocess, sys, time
root, user, entry, check, port = sys.argv[1:]
inside = ["chroot", f"--userspec={user}", root, "env", "--chdir=/data"]
served = subprocess.Popen([*inside, *json.loads(entry), "--port", port])
try:
    for _ in range(30):
        time.sleep(1)
        if not subprocess.run([*inside, *json.loads(check.replace("8000", port))], stderr=subprocess.DEVNULL).returncode:
            print("healthy", file=sys.stderr)
            break
    else:
        sys.exit("It never was healthy.")
    served.wait()
except KeyboardInterrupt:
    served.terminate()
    served.wait()
PYTHON
