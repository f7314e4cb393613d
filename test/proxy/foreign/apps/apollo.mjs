import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

const server = new ApolloServer({
  typeDefs:
    'type Weather { city: String, tempC: Int } type Query { weather(city: String): Weather }',
  resolvers: { Query: { weather: (_, { city }) => ({ city, tempC: 19 }) } },
});
await startStandaloneServer(server, {
  listen: { port: Number(process.argv[2]), host: '127.0.0.1' },
});
