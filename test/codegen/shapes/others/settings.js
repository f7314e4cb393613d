import express from 'express';

const app = express();
app.set('trust proxy', true);
console.log(app.get('trust proxy'), app.get('env'));
app.get('/real', (req, res) => res.end());
