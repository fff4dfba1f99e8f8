import { copyDemo } from './demo.ts';
import { test as base } from './fixtures.ts';
import { startSendroom } from './startSendroom.ts';
import { startStaticHost, type StaticHost } from './staticFiles.ts';

const hosted = base.extend<object, { host: StaticHost }>({
  host: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
    async ({}, provide) => {
      const host = await startStaticHost();
      await provide(host);
      await host.close();
    },
    { scope: 'worker' },
  ],
});

export const test = hosted.extend<{ itsService: void }>({
  sendroom: [
    async ({ demo, additions, host }, provide) => {
      const database = await copyDemo(demo);
      const sendroom = await startSendroom({
        DATABASE_URL: database.url,
        ADDITIONS: additions,
        CORS_ORIGINS: new URL(host.url).origin,
      });
      host.config(JSON.stringify({ base_url: sendroom.url }));
      await provide(sendroom);
      await sendroom.stop();
      await database.remove();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ host, sendroom }, provide) => {
    host.config(JSON.stringify({ base_url: `${sendroom.url}/` }));
    await provide(host.url);
  },
  itsService: [
    async ({ faults, sendroom }, provide) => {
      faults.expect(new RegExp(`^foreign origin: ${RegExp.escape(sendroom.url)}$`));
      await provide();
    },
    { auto: true },
  ],
});
