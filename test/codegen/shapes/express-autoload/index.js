const { readdirSync } = require('node:fs');
const express = require('express');
const app = express();
for (const file of readdirSync('./routes')) require(`./routes/${file}`)(app);
app.listen(3000);
