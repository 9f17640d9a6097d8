#!/usr/bin/env bash
# Works only while it leads, beside `hustings serve --name billing`. Needs bash and curl.
# HUSTINGS_SERVE_TOKEN must be set. The token of the sidecar is not on curl's command line, where every user could read it.
set -u
sidecar=${SIDECAR:-http://127.0.0.1:4748}
campaign='' # the id of the campaign

post() { # post PATH BODY: prints the answer; fails unless the status is 2xx
  curl --silent --fail --max-time 5 --config - "$sidecar$1" <<END
header = "X-Hustings-Token: $HUSTINGS_SERVE_TOKEN"
header = "Content-Type: application/json"
data = "${2//\"/\\\"}"
END
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
  if ! answer=$(post /campaign '{}'); then
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
