import { startSimulator, World } from '../../simulator/index.ts';
import { ec2Suite } from './ec2-suite.ts';

ec2Suite('the simulator', async () => {
  const simulator = await startSimulator(new World({ seed: 20261130 }));
  return { url: simulator.url, account: simulator.world.account, stop: () => simulator.close() };
});
