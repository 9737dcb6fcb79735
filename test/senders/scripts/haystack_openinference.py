from common import BROKEN, MODEL, QUESTION, RULES, SESSION, USER, expect_failure, get_weather, start_tracing
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from openinference.instrumentation import using_attributes
from openinference.instrumentation.haystack import HaystackInstrumentor

provider = start_tracing()
HaystackInstrumentor().instrument()


def ask(model):
    tools = [create_tool_from_function(get_weather)]
    agent = Agent(chat_generator=OpenAIChatGenerator(model=model), tools=tools, system_prompt=RULES)
    print(agent.run(messages=[ChatMessage.from_user(QUESTION)])["messages"][-1].text)


with using_attributes(session_id=SESSION, user_id=USER):
    ask(MODEL)
    expect_failure(lambda: ask(BROKEN))
provider.shutdown()
