const express = require('express');
const app = express();

app.get('/windows', (req, res) => {
	res.json({ tabs: true });
});
