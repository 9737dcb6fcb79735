from common import BROKEN, SESSION, USER, chat_with_tool, expect_failure
from common import get_weather as weather
from openai import OpenAI
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import agent, tool, workflow
from traceloop.sdk.instruments import Instruments

Traceloop.init(app_name="svc", disable_batch=True, instruments={Instruments.OPENAI})


@tool(name="get_weather")
def get_weather(city):
    return weather(city)


@agent(name="weather")
def ask_agent(question):
    get_weather(city="Paris")
    return chat_with_tool(OpenAI()).choices[0].message.content


@workflow(name="ask")
def ask(question):
    Traceloop.set_association_properties({"session_id": SESSION, "user_id": USER})
    expect_failure(lambda: chat_with_tool(OpenAI(), BROKEN))
    return ask_agent(question)


ask("What is the weather in Paris?")
