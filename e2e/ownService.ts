import { copyDemo } from './demo.ts';
import { startHostileProxy, test as base, type HostileProxy } from './hostileProxy.ts';
import { type Sendroom, startSendroom } from './startSendroom.ts';

/** For tests that change many contacts: `own` is a service with a copy of the demo, and `hostile` is between it and the page. */
export const test = base.extend<{ own: Sendroom; hostile: HostileProxy }>({
  own: async ({ demo }, provide) => {
    const database = await copyDemo(demo);
    const sendroom = await startSendroom({ DATABASE_URL: database.url });
    await provide(sendroom);
    await sendroom.stop();
    await database.remove();
  },
  hostile: async ({ own }, provide) => {
    const hostile = await startHostileProxy(own.url);
    await provide(hostile);
    await hostile.close();
  },
});
