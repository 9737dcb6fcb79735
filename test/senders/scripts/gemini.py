import os

from common import QUESTION, RULES, get_weather
from google import genai
from google.genai.types import GenerateContentConfig, HttpOptions


def ask(model):
    client = genai.Client(api_key="none", http_options=HttpOptions(base_url=os.environ["GEMINI_BASE_URL"]))
    config = GenerateContentConfig(system_instruction=RULES, tools=[get_weather], temperature=0.2)
    print(client.models.generate_content(model=model, contents=QUESTION, config=config).text)
