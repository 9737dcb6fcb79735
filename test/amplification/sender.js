// Runs beside the service, so that what sending and receiving cost is not counted as the service's.
import http from 'node:http';
import { parentPort } from 'node:worker_threads';

const KEPT = 400;
// A connection for each: the service may just be closing one that waited while a large body was made.
const agent = new http.Agent({ keepAlive: false });

parentPort.on('message', ({ id, url, method, headers, bytes }) => {
  const done = (reply) => parentPort.postMessage({ id, ...reply });
  const sent = bytes.byteLength > 0 ? { 'content-length': bytes.byteLength } : {};
  const request = http.request(url, { method, agent, headers: { ...headers, ...sent } }, (response) => {
    let received = 0;
    let text = '';
    response.on('data', (chunk) => {
      received += chunk.length;
      if (text.length < KEPT) text += chunk.toString('utf8', 0, KEPT);
    });
    response.on('end', () => done({ status: response.statusCode, received, text }));
    response.on('error', (error) => done({ status: 0, received, text: String(error) }));
  });
  request.on('error', (error) => done({ status: 0, received: 0, text: String(error) }));
  request.end(Buffer.from(bytes));
});
