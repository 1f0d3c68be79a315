"""The tables of a site: queries, creation, and what keeps them up to date."""

from polyopolis.play.lobby.deadline_service import DeadlineService
from polyopolis.play.lobby.node_synchronizer import NodeSynchronizer
from polyopolis.play.lobby.table_factory import TableFactory
from polyopolis.play.lobby.table_queries import TableQueries
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.table.table_context import SiteServices


class Lobby:
    """The services for all tables. They share one registry of the tables in use."""

    def __init__(self, services: SiteServices, address: str = "") -> None:
        self.tables = TableRegistry(services)
        self.queries = TableQueries(services, self.tables, address)
        self.factory = TableFactory(services, self.tables, self.queries)
        self.nodes = NodeSynchronizer(services, self.tables)
        self.deadlines = DeadlineService(services, self.tables)
