from common import SESSION, USER, start_tracing
from langgraph_agent import run
from opentelemetry.instrumentation.langchain import LangchainInstrumentor

provider = start_tracing()
LangchainInstrumentor().instrument()
run({"configurable": {"thread_id": SESSION}, "metadata": {"session_id": SESSION, "user_id": USER}})
provider.shutdown()
