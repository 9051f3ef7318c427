curl -X GET "http://localhost:5300/api/v1/messages/history?bot_uuid=abc123&launcher_type=person&launcher_id=user456&limit=50" \
  -H "X-API-Key: lbk_your_api_key_here"
