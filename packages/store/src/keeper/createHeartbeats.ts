import type { Heartbeat, PrismaClient } from '../generated/prisma/client.ts';

export interface HeartbeatRecord {
  readonly name: string;
  readonly lastHeartbeatAtMs: number;
  readonly lastSuccessAtMs: number | null;
  readonly detail: unknown;
}

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
    async byName(name: string): Promise<HeartbeatRecord | null> {
      const row = await prisma.heartbeat.findUnique({ where: { name } });
      return row === null ? null : recordOf(row);
    },
    /** All heartbeats by name. */
    async all(): Promise<readonly HeartbeatRecord[]> {
      return (await prisma.heartbeat.findMany({ orderBy: { name: 'asc' } })).map(recordOf);
    },
  };
}

function recordOf({ name, lastHeartbeatAt, lastSuccessAt, detail }: Heartbeat): HeartbeatRecord {
  const lastSuccessAtMs = lastSuccessAt?.getTime() ?? null;
  return { name, lastHeartbeatAtMs: lastHeartbeatAt.getTime(), lastSuccessAtMs, detail };
}

export type HeartbeatStore = ReturnType<typeof createHeartbeats>;
