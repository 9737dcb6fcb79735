from common import SESSION, USER, start_tracing
from langgraph_agent import run
from openinference.instrumentation import using_attributes
from openinference.instrumentation.langchain import LangChainInstrumentor

provider = start_tracing()
LangChainInstrumentor().instrument()
with using_attributes(session_id=SESSION, user_id=USER):
    run({"configurable": {"thread_id": SESSION}})
provider.shutdown()
