// Serves this folder on this machine alone: node serve.js <port>
const fs = require('fs')
const http = require('http')
const path = require('path')

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

http
  .createServer((request, response) => {
    const wanted = request.url.split('?')[0].slice(1) || 'index.html'
    // Only names that are in the folder, never a way out of it.
    const isName = /^(?:icons\/)?[\w.-]+$/.test(wanted) && !wanted.includes('..')
    fs.readFile(path.join(__dirname, isName ? wanted : 'index.html'), (error, content) => {
      if (error) return response.writeHead(404).end()
      const type = TYPES[path.extname(isName ? wanted : 'index.html')] || 'application/octet-stream'
      response.writeHead(200, { 'content-type': type }).end(content)
    })
  })
  .listen(Number(process.argv[2]), '127.0.0.1')
