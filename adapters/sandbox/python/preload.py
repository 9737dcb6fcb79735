# What scorers import most: part of the image, so that it costs them nothing.
import abc, array, ast, asyncio, base64, bisect, calendar, collections, collections.abc, contextlib, copy, csv, dataclasses, datetime
import decimal, difflib, enum, fractions, functools, hashlib, heapq, html, html.parser, inspect, io, itertools, json, linecache, logging
import math, numbers, operator, pprint, random, re, statistics, string, struct, textwrap, time, traceback, types, typing, unicodedata
import urllib.parse, uuid, warnings, xml.etree.ElementTree, zlib, zoneinfo

import gc

re.purge()
gc.collect()
