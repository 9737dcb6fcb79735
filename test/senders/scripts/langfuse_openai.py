from common import BROKEN, QUESTION, SESSION, USER, chat_with_tool, expect_failure
from common import get_weather as weather
from langfuse import Langfuse, observe, propagate_attributes
from langfuse.openai import OpenAI

langfuse = Langfuse()


@observe(name="get_weather", as_type="tool")
def get_weather(city):
    return weather(city)


@observe(name="weather", as_type="agent")
def ask_agent(question):
    get_weather(city="Paris")
    return chat_with_tool(OpenAI()).choices[0].message.content


@observe(name="ask")
def ask(question):
    with propagate_attributes(session_id=SESSION, user_id=USER):
        expect_failure(lambda: chat_with_tool(OpenAI(), BROKEN))
        return ask_agent(question)


ask(QUESTION)
langfuse.flush()
langfuse.shutdown()
