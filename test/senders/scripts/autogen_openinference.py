from autogen_agent import run_all
from common import SESSION, USER, start_tracing
from openinference.instrumentation import using_attributes
from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor

provider = start_tracing()
AutogenAgentChatInstrumentor().instrument()
with using_attributes(session_id=SESSION, user_id=USER):
    run_all()
provider.shutdown()
