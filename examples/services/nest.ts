// A NestJS service: the elector is a provider that starts and ends with the application.
import 'reflect-metadata';
import {
  Controller,
  Get,
  Header,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  ServiceUnavailableException,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createElector, type ElectorHealth, prometheusText } from 'hustings';
import { runReports } from './reports.ts';

@Injectable()
class ReportsElector implements OnApplicationBootstrap, OnModuleDestroy {
  readonly elector = createElector({
    store: process.env.HUSTINGS_STORE ?? 'sqlite:./leases.db',
    name: 'reports',
    id: process.env.REPLICA ?? 'replica',
    preset: 'fast',
  });
  readonly stop = new AbortController();
  private campaign: Promise<void> = Promise.resolve();

  onApplicationBootstrap(): void {
    this.campaign = this.elector.campaign(runReports, { signal: this.stop.signal });
  }

  /** Before the server closes: the job stops and the lease is released. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await this.campaign;
    await this.elector.close();
  }
}

@Controller()
class ProbeController {
  constructor(@Inject(ReportsElector) private readonly reports: ReportsElector) {}

  @Get('healthz')
  health(): ElectorHealth {
    const health = this.reports.elector.health();
    if (!health.healthy) throw new ServiceUnavailableException(health);
    return health;
  }

  /** Ready as soon as it serves requests: a replica that waits for leadership is ready too. */
  @Get('readyz')
  ready(): { leads: boolean } {
    if (this.reports.stop.signal.aborted) throw new ServiceUnavailableException();
    return { leads: this.reports.elector.metrics.isLeader };
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain')
  metrics(): string {
    return prometheusText([this.reports.elector.metrics]);
  }
}

@Module({ controllers: [ProbeController], providers: [ReportsElector] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'], forceCloseConnections: true });
app.enableShutdownHooks(['SIGTERM']);
await app.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
console.log('listening', app.getHttpServer().address());
