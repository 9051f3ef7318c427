import requests

API_BASE = "http://localhost:5300/api/v1"
API_KEY = "lbk_your_api_key_here"
headers = {"X-API-Key": API_KEY}

# 获取非活跃对话（48 小时内无活动）
response = requests.get(
    f"{API_BASE}/messages/history/inactive",
    params={"inactive_hours": 48, "limit": 10},
    headers=headers
)

inactive_convs = response.json()["data"]["conversations"]

# 向每个对话发送重新激活消息
for conv in inactive_convs:
    requests.post(
        f"{API_BASE}/messages/send",
        json={
            "bot_uuid": conv["bot_uuid"],
            "target_type": conv["launcher_type"],
            "target_id": conv["launcher_id"],
            "message": "你好！我们注意到您最近不太活跃。有什么我们可以帮助的吗？"
        },
        headers=headers
    )
