/** An app with people in its live gallery, enrolled through the store: as many as a trial wants, faces made up. */
import { loadConfig } from '../../src/config.ts';
import { createApp } from '../../src/domain/operating/apps.ts';
import { openAdmin } from '../../src/service/data.ts';
import { ORIGIN } from '../service/enrolled.ts';
import { enrol } from '../service/galleries.ts';

export async function galleryOn(settings: Record<string, string>, users: number): Promise<{ appId: string }> {
  const admin = await openAdmin(loadConfig(settings));
  try {
    const fields = { name: 'Bench', allowedOrigins: [ORIGIN], plan: 'unlimited' };
    const { id } = await createApp(admin.deps, fields);
    for (let person = 0; person < users; person++) await enrol(admin, id, person);
    return { appId: id };
  } finally {
    await admin.close();
  }
}
