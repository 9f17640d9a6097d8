#!/usr/bin/env bash
# Works only while it leads, beside `hustings serve billing`. Needs bash and curl.
# HUSTINGS_SERVE_TOKEN must be set. The token of the sidecar is not on curl's command line, where every user could read it.
set -u
sidecar=${SIDECAR:-http://127.0.0.1:4748}
campaign='' # the id of the campaign

post() { # post PATH BODY: prints the answer. 0 if the status is 2xx, 2 if the request is wrong, 1 if it may succeed later
  local answer
  answer=$(curl --silent --show-error --max-time 5 --write-out '\n%{http_code}' --config - "$sidecar$1" <<END
header = "X-Hustings-Token: $HUSTINGS_SERVE_TOKEN"
header = "Content-Type: application/json"
data = "${2//\"/\\\"}"
END
  ) || return 1
  echo "${answer%$'\n'*}"
  case ${answer##*$'\n'} in
    2??) return 0 ;;
    409 | 410 | 5??) return 1 ;;
    *) return 2 ;;
  esac
}

field() { # field NAME: a text or a number of the JSON document on stdin
  sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"
}

release() { # the work has stopped: another candidate may lead at once
  [ -z "$campaign" ] || post /release "{\"campaign\":\"$campaign\"}" >/dev/null
  campaign=''
}

work() { # one step, much shorter than the time that remains: TOKEN FENCE
  if [ -n "${RESOURCE:-}" ]; then
    status=$(curl --silent --max-time 5 -o /dev/null -w '%{http_code}' -X POST -H "Hustings-Fence: $2" "$RESOURCE")
    echo "the resource answered $status under token $1"
  else
    echo "working under token $1"
  fi
}

trap 'release; exit 0' TERM INT
while true; do
  answer=$(post /campaign '{}') # with several elections: '{"name":"billing"}'
  result=$?
  if [ $result -ne 0 ]; then
    echo "no campaign: ${answer:-no answer}" >&2
    # A wrong token, or several elections: the answer stays the same.
    [ $result -eq 1 ] || exit 1
    sleep 1
    continue
  fi
  campaign=$(field campaign <<<"$answer")
  pause=$(field progressWithinMs <<<"$answer" | awk '{ print $1 / 5000 }')
  # 410, or no answer: the campaign is over.
  while answer=$(post /progress "{\"campaign\":\"$campaign\"}"); do
    case $(field state <<<"$answer") in
      leading)
        # The sidecar shares the wall clock of this host.
        if [ "$(date +%s%3N)" -lt "$(field deadlineMs <<<"$answer")" ]; then
          work "$(field token <<<"$answer")" "$(field fence <<<"$answer")"
        fi
        ;;
      stopping) break ;;
    esac
    sleep "$pause"
  done
  release
done
