from anthropic import Anthropic
from common import BROKEN, SESSION, USER, claude_with_tool, expect_failure
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import workflow
from traceloop.sdk.instruments import Instruments

Traceloop.init(app_name="svc", disable_batch=True, instruments={Instruments.ANTHROPIC})


@workflow(name="ask")
def ask(question):
    Traceloop.set_association_properties({"session_id": SESSION, "user_id": USER})
    expect_failure(lambda: claude_with_tool(Anthropic(), BROKEN))
    return claude_with_tool(Anthropic()).content[0].text


ask("What is the weather in Paris?")
