"""Spans of the client are those of OpenTelemetry. Needs opentelemetry-sdk; against the service that SERVICE_URL and SERVICE_API_KEY name."""

import asyncio
import importlib.util
import unittest

from touchstone_client import init


@unittest.skipIf(importlib.util.find_spec("opentelemetry") is None, "opentelemetry-sdk is not installed")
class OpenTelemetryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = init("python opentelemetry")

    @classmethod
    def tearDownClass(cls):
        cls.client.shutdown()

    def spans(self):
        self.assertTrue(self.client.flush(60))
        run = {"log_stream_id": self.client.log_stream_id()}
        found = self.client.http.call("POST", f"/v2/projects/{self.client.project_id()}/spans/search", run)["records"]
        return {span["name"]: span for span in found}

    def test_spans_of_the_client_and_of_instrumentations_nest_in_each_other(self):
        from opentelemetry.sdk.trace import TracerProvider

        application = TracerProvider()
        application.add_span_processor(self.client.span_processor)
        library = application.get_tracer("some.library")
        with self.client.span("outside", "agent", input="tea") as outside:
            with library.start_as_current_span("in the library", attributes={"n": 3}) as middle:
                with self.client.span("inside", "tool") as inside:
                    pass
        self.assertEqual(inside.parent_id, f"{middle.get_span_context().span_id:016x}")
        self.assertEqual(inside.trace_id, outside.trace_id)
        spans = self.spans()
        self.assertEqual(spans["in the library"]["parent_id"], spans["outside"]["id"])
        self.assertEqual(spans["inside"]["parent_id"], spans["in the library"]["id"])
        self.assertEqual(spans["outside"]["id"], outside.record_id)
        self.assertEqual(spans["outside"]["type"], "agent")

    def test_a_span_is_the_current_one_of_opentelemetry_also_in_coroutines(self):
        from opentelemetry import trace

        @self.client.traced("two at once")
        async def work(number):
            await asyncio.sleep(0)
            return trace.get_current_span().get_span_context().span_id

        async def both():
            with self.client.span("around both") as around:
                return around, await asyncio.gather(work(1), work(2))

        around, ids = asyncio.run(both())
        self.assertEqual(len({around.span_id, *(f"{id:016x}" for id in ids)}), 3)
        self.assertFalse(trace.get_current_span().get_span_context().is_valid)

    def test_failures_and_scores_are_those_of_the_span(self):
        with self.assertRaises(RuntimeError):
            with self.client.span("failing", "tool") as span:
                span.score("taste", False)
                raise RuntimeError("no money")
        found = self.spans()["failing"]
        self.assertEqual(found["status_code"], 500)
        self.assertEqual(found["metrics"]["taste"], 0)

    def test_an_application_that_samples_nothing_does_not_lose_the_spans_of_the_client(self):
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.sampling import ALWAYS_OFF

        library = TracerProvider(sampler=ALWAYS_OFF).get_tracer("some.library")
        with library.start_as_current_span("not sampled"):
            with self.client.span("sampled all the same"):
                pass
        self.assertIn("sampled all the same", self.spans())
