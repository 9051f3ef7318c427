@echo off
rem Serves this folder on this machine alone and opens the app. Close this window to end it.
cd /d "%~dp0"
rem The py launcher and not "python", which may only lead to the shop.
where py >nul 2>nul && goto python
where node >nul 2>nul && goto node
echo Opening the page as a file: it works, but it cannot be installed.
start "" "%~dp0index.html"
exit /b

:python
start "" http://127.0.0.1:__PORT__/
py -3 -m http.server __PORT__ --bind 127.0.0.1
exit /b

:node
start "" http://127.0.0.1:__PORT__/
node serve.js __PORT__
