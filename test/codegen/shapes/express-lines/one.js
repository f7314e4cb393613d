import express from 'express'; const app = express(); app.get('/one', (req, res) => res.end());
