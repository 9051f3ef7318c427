curl -X DELETE "http://localhost:5300/api/v1/messages/history/delete" \
  -H "Content-Type: application/json" \
  -H "X-API-Key: lbk_your_api_key_here" \
  -d '{
    "bot_uuid": "abc123",
    "launcher_type": "person",
    "launcher_id": "user456"
  }'
