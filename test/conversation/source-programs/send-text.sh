curl -X POST "http://localhost:5300/api/v1/messages/send" \
  -H "Content-Type: application/json" \
  -H "X-API-Key: lbk_your_api_key_here" \
  -d '{
    "bot_uuid": "abc123",
    "target_type": "person",
    "target_id": "user456",
    "message": "你好！我们注意到您最近不太活跃。一切都还好吗？"
  }'
