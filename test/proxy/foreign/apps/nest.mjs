import 'reflect-metadata';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

class Weather {
  find(city) {
    return { city, tempC: 19 };
  }
}
// What the decorators of TypeScript do.
Param('city')(Weather.prototype, 'find', 0);
Get(':city')(Weather.prototype, 'find', Object.getOwnPropertyDescriptor(Weather.prototype, 'find'));
Controller('weather')(Weather);
class App {}
Module({ controllers: [Weather] })(App);

const app = await NestFactory.create(App, { logger: false });
await app.listen(Number(process.argv[2]), '127.0.0.1');
