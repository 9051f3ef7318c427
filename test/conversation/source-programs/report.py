import requests
from collections import Counter

API_BASE = "http://localhost:5300/api/v1"
API_KEY = "lbk_your_api_key_here"
headers = {"X-API-Key": API_KEY}

# 获取所有最近的消息
response = requests.get(
    f"{API_BASE}/messages/history",
    params={"limit": 1000},
    headers=headers
)

messages = response.json()["data"]["messages"]

# 按启动器类型统计消息
launcher_types = Counter(msg["launcher_type"] for msg in messages)
print(f"个人消息：{launcher_types['person']}")
print(f"群组消息：{launcher_types['group']}")

# 统计用户和助手消息
roles = Counter(msg["message_role"] for msg in messages)
print(f"用户消息：{roles['user']}")
print(f"助手消息：{roles['assistant']}")
