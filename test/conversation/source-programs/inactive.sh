curl -X GET "http://localhost:5300/api/v1/messages/history/inactive?bot_uuid=abc123&inactive_hours=48&limit=10" \
  -H "X-API-Key: lbk_your_api_key_here"
