const express = require('express')
const app = express()

app.get('/fortune', function (req, res) {
	const lines = ['a', 'b']
	res.send(lines[0])
})

module.exports = app
