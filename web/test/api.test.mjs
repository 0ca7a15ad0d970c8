// docs/openapi.json against the running server: every operation is asked for, every answer is as it says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { Server } from './server.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const api = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));
const game = '[White "A"]\n\n1. e4 e5 2. Nf3 Nc6 *\n';

const nothingPut = { options: {}, lines: { lines: [] } }; // to something that is not there

const resolve = part => (part?.$ref ? part.$ref.slice(2).split('/').reduce((at, key) => at[key], api) : part);

// What is wrong with a value; the part of JSON Schema that the file uses. What is not named there is wrong too.
function faults(value, given, at = '') {
  const schema = resolve(given);
  if (!schema) return [];
  if (schema.oneOf) return schema.oneOf.some(each => faults(value, each, at).length === 0) ? [] : [`${at}: fits none`];
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${at}: ${value}`];
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const wanted = schema.type === 'integer' ? 'number' : schema.type;
  if (wanted && kind !== wanted) return [`${at}: ${kind}, not ${schema.type}`];
  if (schema.type === 'integer' && !Number.isInteger(value)) return [`${at}: ${value} is not whole`];
  if (kind === 'array') {
    const many = value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity) ? [`${at}: ${value.length} items`] : [];
    return [...many, ...value.flatMap((each, i) => faults(each, schema.items, `${at}[${i}]`))];
  }
  if (kind !== 'object') return [];
  const missing = (schema.required ?? []).filter(name => !(name in value)).map(name => `${at}.${name} is missing`);
  const below = Object.entries(value).flatMap(([name, each]) => {
    const property = schema.properties?.[name] ?? schema.additionalProperties;
    if (property === true) return [];
    return property ? faults(each, property, `${at}.${name}`) : [`${at}.${name} is not described`];
  });
  return [...missing, ...below];
}

describe('docs/openapi.json', () => {
  const server = new Server();
  before(() => server.start());
  after(() => server.close());
  const asked = new Set();

  // Asks, and holds the answer against the description of the operation.
  async function ask(method, path, { id = '', query = '', body, type = 'application/json', status } = {}) {
    const operation = api.paths[path]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path} is not described`);
    const response = await fetch(server.address.slice(0, -1) + path.replace('{id}', id) + query, {
      method,
      body: type === 'application/json' && body !== undefined ? JSON.stringify(body) : body,
      headers: body === undefined ? {} : { 'content-type': type },
    });
    const what = `${method} ${path}: ${response.status}`;
    if (status) assert.equal(response.status, status, what);
    const described = resolve(operation.responses[response.status]);
    assert.ok(described, `${what} is not described`);
    asked.add(`${method} ${path} ${response.status}`);
    const text = await response.text();
    if (response.status === 204) return null;
    const kind = response.headers.get('content-type').split(';')[0];
    assert.ok(kind in described.content, `${what}: ${kind}`);
    if (!kind.endsWith('json')) return text;
    const value = JSON.parse(text);
    assert.deepEqual(faults(value, described.content[kind].schema), [], what);
    return value;
  }

  test('is what the server does', async () => {
    const { models } = await ask('GET', '/api/status', { status: 200 });
    assert.equal((await ask('PUT', '/api/model', { body: { name: models[0].name }, status: 200 })).models[0].used, true);
    await ask('PUT', '/api/model', { body: { name: '../../etc/passwd' }, status: 400 });
    await ask('POST', '/api/imports', { body: game + game, type: 'application/x-chess-pgn', status: 200 });
    const review = await ask('POST', '/api/reviews', { body: { pgn: game, depth: 6 }, status: 201 });
    const of = { id: review.id };
    await ask('GET', '/api/reviews/{id}', { ...of, status: 200 });
    assert.match(await ask('GET', '/api/reviews/{id}/events', { ...of, status: 200 }), /event: end\n/);
    const done = await ask('GET', '/api/reviews/{id}', { ...of, status: 200 });
    assert.equal(done.state, 'complete');
    assert.equal((await ask('GET', '/api/reviews', { status: 200 })).reviews.length, 1);
    for (const format of ['pgn', 'json', 'csv', 'html']) {
      await ask('GET', '/api/reviews/{id}/export', { ...of, query: `?format=${format}`, status: 200 });
    }
    const judged = await ask('PUT', '/api/reviews/{id}/options', { ...of, body: { theory: false }, status: 200 });
    assert.equal(judged.options.theory, false);
    await ask('PUT', '/api/reviews/{id}/lines', { ...of, body: { lines: [['d2d4', 'd7d5']] }, status: 204 });
    assert.deepEqual((await ask('GET', '/api/reviews/{id}', { ...of, status: 200 })).review.tried, [['d2d4', 'd7d5']]);
    await ask('POST', '/api/reviews/{id}/cancel', { ...of, status: 200 });
    await ask('POST', '/api/reviews/{id}/restart', { ...of, status: 200 });
    await ask('DELETE', '/api/reviews/{id}', { ...of, status: 204 });

    const line = { moves: ['e2e4', 'e7e5'] };
    for (const [kind, body] of [
      ['judgements', { ...line, depth: 6, rating: 1900, opponent_rating: 1200 }],
      ['lines', { ...line, depth: 8 }],
      ['expectations', { ...line, parameters: { threshold: 0.3, depth: 6 } }],
    ]) {
      const job = await ask('POST', `/api/${kind}`, { body, status: 201 });
      assert.match(await ask('GET', `/api/${kind}/{id}/events`, { id: job.id, status: 200 }), /event: end\n/);
      const ended = await ask('GET', `/api/${kind}/{id}`, { id: job.id, status: 200 });
      assert.equal(ended.state, 'complete');
      if (kind === 'judgements') assert.deepEqual([ended.judgement.provisional, ended.judgement.ply.san, ended.judgement.ply.human.rating], [false, 'e5', 1900]);
      else if (kind === 'lines') assert.equal(ended.lines.lines.length, 5);
      else assert.ok(ended.analysis.analysis.moves.length > 0);
      await ask('POST', `/api/${kind}/{id}/cancel`, { id: job.id, status: 204 });
      await ask('DELETE', `/api/${kind}/{id}`, { id: job.id, status: 204 });
      await ask('POST', `/api/${kind}`, { body: { moves: ['e2e5'] }, status: 400 });
    }
    const packed = gzipSync(game + game);
    assert.equal((await ask('POST', '/api/reviews', { body: packed, query: '?depth=6', type: 'application/x-chess-pgn', status: 201 })).added, 2);
    assert.equal((await ask('GET', '/api/reviews', { query: '?search=a&limit=1', status: 200 })).total, 2);
    const people = await ask('POST', '/api/people', { body: { ...line, rating: 1500 }, status: 200 });
    assert.ok(people.moves.length === 29 && people.moves[0].probability > 0.2);
    const likely = await ask('POST', '/api/expectations', { body: { ...line, parameters: { threshold: 0.5, depth: 6, map: 'wdl', uncovered: 'root' } }, status: 201 });
    await ask('GET', '/api/expectations/{id}/events', { id: likely.id, status: 200 });
    const wdl = (await ask('GET', '/api/expectations/{id}', { id: likely.id, status: 200 })).analysis.analysis;
    assert.deepEqual([wdl.phase, wdl.parameters.map, wdl.parameters.uncovered], ['complete', 'wdl', 'root']);
    await ask('POST', '/api/reviews', { body: {}, status: 400 });
    await ask('GET', '/api/reviews/{id}/export', { ...of, status: 404 });

    // Of everything described, what is good was seen; and for what has a name, what happens when there is none.
    for (const [path, item] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const name = `${method.toUpperCase()} ${path}`;
        if (path.includes('{id}')) await ask(method.toUpperCase(), path, { id: 'nothing', body: method === 'put' ? nothingPut[path.split('/').at(-1)] : undefined, status: 404 });
        const good = Object.keys(operation.responses).filter(code => code < 300);
        assert.ok(good.some(code => asked.has(`${name} ${code}`)), `${name} was not asked for`);
      }
    }
  });
});
