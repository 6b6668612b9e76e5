import { recordsOf } from '../database/columns.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';

export interface HeartbeatRecord {
  readonly name: string;
  readonly lastHeartbeatAtMs: number;
  readonly lastSuccessAtMs: number | null;
  readonly detail: unknown;
}

const records = recordsOf<HeartbeatRecord>(['name', 'lastHeartbeatAtMs', 'lastSuccessAtMs', 'detail']);

export function createHeartbeats(prisma: PrismaClient) {
  return {
    /** Replace the heartbeat of a program; a report without success keeps the time of the last one. */
    async report({
      name,
      nowMs,
      succeeded,
      detail,
    }: {
      readonly name: string;
      readonly nowMs: number;
      readonly succeeded: boolean;
      readonly detail?: object;
    }): Promise<void> {
      const now = new Date(nowMs);
      const row = { lastHeartbeatAt: now, detail: { ...detail }, ...(succeeded ? { lastSuccessAt: now } : {}) };
      await prisma.heartbeat.upsert({ where: { name }, create: { name, ...row }, update: row });
    },
    byName: (name: string): Promise<HeartbeatRecord | null> =>
      records.one(prisma.heartbeat.findUnique({ where: { name } })),
    /** All heartbeats by name. */
    all: (): Promise<readonly HeartbeatRecord[]> =>
      records.many(prisma.heartbeat.findMany({ orderBy: { name: 'asc' } })),
  };
}

export type HeartbeatStore = ReturnType<typeof createHeartbeats>;
