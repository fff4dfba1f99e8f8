import { spawnSync } from 'node:child_process';

export function freezeProcesses(pids: readonly number[]): () => void {
  // Those first that could start another one.
  const frozen = pids.map((pid) => send(pid, 'SIGSTOP'));
  for (const parent of pids) {
    const { stdout } = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
    for (const line of stdout.split('\n').filter(Boolean)) frozen.push(send(Number(line), 'SIGSTOP'));
  }
  return () => {
    for (const pid of frozen) send(pid, 'SIGCONT');
  };
}

function send(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): number {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process has ended meanwhile.
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
  return pid;
}
