"""Works only while it leads, beside `hustings serve billing`. Needs Python 3.8 and nothing else.

The stream tells at once that the work must stop. Reports of progress, which the work itself sends, keep the lead.
"""
import http.client
import json
import os
import signal
import sys
import threading
import time
import urllib.parse

SIDECAR = urllib.parse.urlsplit(os.environ.get("SIDECAR", "http://127.0.0.1:4748"))
TOKEN = os.environ["HUSTINGS_SERVE_TOKEN"]
RESOURCE = os.environ.get("RESOURCE")  # a URL that checks the fence


def request(path, body, accept="application/json", timeout=5):
    connection = http.client.HTTPConnection(SIDECAR.hostname, SIDECAR.port, timeout=timeout)
    headers = {"X-Hustings-Token": TOKEN, "Content-Type": "application/json", "Accept": accept}
    connection.request("POST", path, json.dumps(body), headers)
    return connection.getresponse()


def post(path, body):
    with request(path, body) as response:
        return response.status, json.load(response)


class Campaign:
    def __init__(self):
        # The sidecar sends something every 5 s: a stream that is silent for longer is dead.
        self.stream = request("/campaign", {}, accept="text/event-stream", timeout=15)
        if self.stream.status != 200:
            raise OSError(f"no campaign: {self.stream.status} {self.stream.read(300)}")
        self.must_stop = threading.Event()
        self.id = None
        while self.id is None:
            self.id = self.next_event().get("campaign")
        threading.Thread(target=self.listen, daemon=True).start()

    def next_event(self):
        for line in self.stream:
            if line.startswith(b"data: "):
                return json.loads(line[6:])
        raise OSError("the stream has ended")

    def listen(self):
        try:
            while self.next_event()["type"] not in ("stopping", "lost", "ended"):
                pass
        except (OSError, http.client.HTTPException):
            pass
        self.must_stop.set()

    def run(self):
        while not self.must_stop.is_set():
            # Counted from before the request: the answer may have been under way for a while.
            asked = time.monotonic()
            status, campaign = post("/progress", {"campaign": self.id})
            if status != 200 or campaign["state"] == "stopping":
                return
            if campaign["state"] == "leading":
                deadline = asked + campaign["remainingMs"] / 1000
                # Both clocks: the monotonic one stands still while the machine sleeps.
                if time.monotonic() < deadline and time.time() < campaign["deadlineMs"] / 1000:
                    work(campaign)
            self.must_stop.wait(campaign["progressWithinMs"] / 1000 / 5)

    def release(self):
        """The work has stopped: another candidate may lead at once."""
        try:
            post("/release", {"campaign": self.id})
        except OSError:
            pass  # the lease runs out


def work(campaign):
    """One step, much shorter than the time that remains."""
    if RESOURCE is None:
        print("working under token", campaign["token"], flush=True)
        return
    to = urllib.parse.urlsplit(RESOURCE)
    connection = http.client.HTTPConnection(to.hostname, to.port, timeout=5)
    connection.request("POST", to.path or "/", headers={"Hustings-Fence": campaign["fence"]})
    status = connection.getresponse().status
    print("the resource answered", status, "under token", campaign["token"], flush=True)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    while True:
        try:
            campaign = Campaign()
            try:
                campaign.run()
            finally:
                campaign.release()
        except (OSError, http.client.HTTPException) as error:
            print("the sidecar cannot be used:", error, file=sys.stderr, flush=True)
            time.sleep(1)


if __name__ == "__main__":
    main()
