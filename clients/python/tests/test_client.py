"""Against the service that SERVICE_URL and SERVICE_API_KEY name."""

import asyncio
import http.server
import os
import threading
import time
import unittest
import urllib.request
import uuid

from touchstone_client import TouchstoneError, assert_passes, init


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = init("python clients")

    @classmethod
    def tearDownClass(cls):
        cls.client.shutdown()

    def search(self, level, run):
        return self.client.http.call("POST", f"/v2/projects/{self.client.project_id()}/{level}/search", run)["records"]

    def run_of(self):
        streams = self.client.http.call("GET", f"/v2/projects/{self.client.project_id()}/log_streams")
        return {"log_stream_id": streams[0]["id"]}

    def test_spans_nest_with_inputs_outputs_and_failures(self):
        @self.client.traced(type="agent")
        def answer(question):
            with self.client.span("pay", "tool", input=question) as span:
                span.set_output("nothing")
            try:
                with self.client.span("fail"):
                    raise RuntimeError("no money")
            except RuntimeError:
                pass
            return f"about {question}"

        @self.client.traced()
        async def later(a, b=2):
            return a + b

        self.assertEqual(answer("tea"), "about tea")
        self.assertEqual(asyncio.run(later(1)), 3)
        self.assertTrue(self.client.flush(60))
        spans = {span["name"]: span for span in self.search("spans", self.run_of())}
        self.assertEqual((spans["answer"]["type"], spans["pay"]["type"]), ("agent", "tool"))
        self.assertEqual(spans["pay"]["parent_id"], spans["answer"]["id"])
        self.assertEqual(spans["fail"]["status_code"], 500)
        traces = {trace["name"]: trace for trace in self.search("traces", self.run_of())}
        self.assertEqual((traces["answer"]["input"], traces["answer"]["output"]), ("tea", "about tea"))
        self.assertEqual(traces["later"]["output"], "3")

    def test_spans_wait_for_a_service_that_is_away_and_then_busy(self):
        client, target = self.client, os.environ["SERVICE_URL"]
        refused = []

        class Door(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                refused.append(1)
                if len(refused) < 3:
                    self.send_response(503)
                    self.end_headers()
                    return
                headers = {name: self.headers[name] for name in ("service-api-key", "project", "logstream", "content-type")}
                with urllib.request.urlopen(urllib.request.Request(target + self.path, body, headers)) as reply:
                    self.send_response(reply.status)
                    self.end_headers()

            def log_message(self, *_):
                pass

        door = http.server.HTTPServer(("127.0.0.1", 0), Door, bind_and_activate=False)
        door.server_bind()
        lost = []
        away = init("python clients", url=f"http://127.0.0.1:{door.server_port}", on_lost=lambda spans, why: lost.append(why))
        with away.span("while it was away"):
            pass
        threading.Timer(0.4, lambda: (door.server_activate(), door.serve_forever())).start()
        self.assertTrue(away.shutdown(60))
        door.shutdown()
        door.server_close()
        self.assertEqual((len(refused), lost), (3, []))
        self.assertIn("while it was away", [trace["name"] for trace in self.search("traces", self.run_of())])

    def test_spans_that_are_refused_or_too_many_are_told(self):
        lost = []
        wrong = init("python clients", api_key="wrong", on_lost=lambda spans, why: lost.append(spans), queue_size=1)
        with wrong.span("one"):
            with wrong.span("two"):
                pass
        wrong.shutdown(60)
        self.assertEqual(sum(lost), 2)

    def test_feedback_and_scores_belong_to_their_span(self):
        with self.client.span("judged", "agent", input="tea") as span:
            span.set_output("sugar")
            span.score("sweetness", 0.75, "there is sugar")
            record_id, trace_id = span.record_id, span.trace_record_id
        self.assertTrue(self.client.flush(60))
        self.client.feedback(trace_id, "like_dislike", True, explanation="just right")
        self.client.feedback(record_id, "star", 4, name="stars")
        traces = {trace["id"]: trace for trace in self.search("traces", self.run_of())}
        self.assertEqual(traces[trace_id]["feedback_rating_info"]["feedback"]["value"], True)
        spans = {found["id"]: found for found in self.search("spans", self.run_of())}
        self.assertEqual(spans[record_id]["metrics"]["sweetness"], 0.75)
        with self.assertRaises(TouchstoneError):
            self.client.feedback(str(uuid.uuid4()), "star", 3)

    def test_all_operations_are_there_by_their_names(self):
        api = self.client.api
        user = api.get_current_user()
        self.assertIn("@", user["email"])
        project = api.get_project(project_id=self.client.project_id())
        self.assertEqual(project["name"], "python clients")
        with self.assertRaises(TouchstoneError) as refused:
            api.find_project_template_version(project_id=self.client.project_id(), template_name="no & such")
        self.assertEqual(refused.exception.status, 404)
        self.assertIn("create_dataset_rule", dir(api))
        with self.assertRaises(AttributeError):
            api.no_such_operation()

    def test_a_prompt_is_found_by_its_label(self):
        path = f"/v2/projects/{self.client.project_id()}/templates"
        made = self.client.http.call("POST", path, {"name": "labelled", "template": "first", "settings": {}})
        self.client.http.call("POST", f"/v2/projects/{self.client.project_id()}/templates/{made['id']}/versions", {"template": "second", "settings": {}})
        self.client.api.move_template_label(template_id=made["id"], label="production", body={"version": 1})
        self.assertEqual(self.client.prompt("labelled", label="production")["template"], "first")
        self.assertEqual(self.client.prompt("labelled", label="latest")["template"], "second")
        self.client.api.move_template_label(template_id=made["id"], label="production", body={"version": 2})
        self.assertEqual(self.client.prompt("labelled", label="production")["template"], "first")
        self.assertEqual(self.client.prompt("labelled", label="production", max_age=0)["template"], "second")

    def test_the_gate_compares_with_a_baseline(self):
        self.client.create_dataset("python gate", [{"input": str(number), "output": str(number)} for number in range(8)])
        told = []
        # Not the same everywhere, so that chance is known.
        good = self.client.evaluate("python gate", lambda row: 0.9 + int(row["input"]) / 100, {"quality": lambda row, output: output}, on_progress=lambda done, total: told.append((done, total)))
        bad = self.client.evaluate("python gate", lambda row: 0.4 - int(row["input"]) / 100, {"quality": lambda row, output: output})
        self.assertEqual(told, [(done, 8) for done in range(1, 9)])
        self.client.assert_not_worse(good, bad.experiment_id, ["quality"])
        with self.assertRaisesRegex(AssertionError, "the gate refuses: quality -0.57 on 8 rows"):
            self.client.assert_not_worse(bad, good.experiment_id, ["quality"])
        with self.assertRaisesRegex(AssertionError, "no row has kindness"):
            self.client.assert_not_worse(good, bad.experiment_id, ["kindness"])

    def test_an_evaluation_ends_in_an_experiment(self):
        self.client.create_dataset("python words", [{"input": word, "output": word.upper()} for word in "abcd"])

        def task(row):
            if row["input"] == "d":
                raise RuntimeError("no d")
            return "?" if row["input"] == "c" else row["input"].upper()

        done = self.client.evaluate("python words", task, {"exact": lambda row, output: row["output"] == output})
        self.assertEqual((done.rows, done.failed), (4, 1))
        self.assertAlmostEqual(done.means["exact"], 2 / 3)
        rows = {row["input"]: row for row in self.search("traces", {"experiment_id": done.experiment_id})}
        self.assertEqual((rows["a"]["metrics"]["exact"], rows["c"]["metrics"]["exact"]), (1, 0))
        self.assertEqual((rows["d"]["output"], rows["d"]["status_code"]), ("no d", 500))
        assert_passes(done, {"exact": 0.6}, failed=1)
        with self.assertRaisesRegex(AssertionError, "exact is 0.66.*less than 0.9; 1 rows failed"):
            assert_passes(done, {"exact": 0.9})

    def test_prompts_are_kept_while_the_service_is_away(self):
        path = f"/v2/projects/{self.client.project_id()}/templates"
        made = self.client.http.call("POST", path, {"name": "greeting", "template": "Hello {{name}}", "settings": {}})
        self.assertEqual(self.client.prompt("greeting")["template"], "Hello {{name}}")
        self.client.http.call("DELETE", f"{path}/{made['id']}")
        self.assertEqual(self.client.prompt("greeting", max_age=0)["template"], "Hello {{name}}")
        with self.assertRaises(TouchstoneError):
            self.client.prompt("never")


if __name__ == "__main__":
    unittest.main()
