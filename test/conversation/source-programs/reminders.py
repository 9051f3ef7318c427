import requests
from datetime import datetime, timedelta

API_BASE = "http://localhost:5300/api/v1"
API_KEY = "lbk_your_api_key_here"
headers = {"X-API-Key": API_KEY}

# 获取最近 7 天的消息
since_date = (datetime.now() - timedelta(days=7)).isoformat()
response = requests.get(
    f"{API_BASE}/messages/history",
    params={
        "bot_uuid": "abc123",
        "launcher_type": "person",
        "since": since_date
    },
    headers=headers
)

messages = response.json()["data"]["messages"]

# 分析消息并根据内容发送提醒
# （在此处实现您的逻辑）
